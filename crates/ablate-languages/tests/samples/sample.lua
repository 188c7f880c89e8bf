-- A sample.
local shapes = { round = 1, ["square"] = { 2, 3 }; 4 }
local function area(width, height, ...)
  local total = width * (height or 2)
  return total, ...
end
function shapes.twice(x) return x * 2 end
for name, value in pairs(shapes) do
  if type(value) == "number" and value > 1 then
    print(name .. ": " .. area(value))
  elseif not value then
    break
  else
    goto done
  end
end
for i = 1, 10, 2 do shapes[i] = #shapes end
while shapes.none do shapes.none = nil end
repeat local x = [[long
string]] until x
::done::
