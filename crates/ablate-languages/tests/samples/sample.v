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
