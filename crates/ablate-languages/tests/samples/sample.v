// A sample.
module counter #(parameter WIDTH = 4) (input clk, input reset, output reg [WIDTH-1:0] count);
  wire enable;
  assign enable = ~reset & 1'b1;
  always @(posedge clk or posedge reset) begin
    if (reset) count <= 0;
    else if (enable) count <= count + 1;
  end
endmodule

module top;
  reg clk = 0;
  wire [3:0] count;
  counter #(.WIDTH(4)) c (.clk(clk), .reset(1'b0), .count(count));
  initial begin
    #10 $display("%d", count);
    $finish;
  end
endmodule

module memory(input clk, input [3:0] at, output reg [7:0] q);
  localparam DEPTH = 1 << $clog2(12);
  reg [7:0] cells [0:DEPTH-1];
  reg [7:0] last;
  integer i;
  task fill;
    for (i = 0; i < DEPTH; i = i + 1) cells[i] = 8'h 0f;
  endtask
`ifdef SLOW
  always @(negedge clk)
`else
  always @(posedge clk)
`endif
  begin
    last[3:0] = cells[at][3:0];
    last[7:4] = {cells[at][7:6], 2'b01};
    q <= last;
  end
  initial fill;
endmodule
