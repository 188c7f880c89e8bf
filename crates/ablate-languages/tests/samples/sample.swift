import Foundation

protocol Shape {
    associatedtype Unit
    var area: Int { get }
}

struct Box<T: Equatable>: Shape {
    typealias Unit = Int
    let width: Int
    var name: String? = nil
    var area: Int { return width * 2 }

    init(width: Int) { self.width = width }
}

enum Kind: Int { case round = 1, square }

func twice(_ x: Int, by factor: Int = 2) throws -> Int {
    guard x > 0 else { return 0 }
    return x * factor
}

let boxes = [Box<Int>(width: 1)]
for box in boxes where box.area > 0 {
    if let name = box.name { print("\(name)") } else { continue }
}
let total = boxes.map { $0.area }.reduce(0, +)
switch total {
case 1: print("one")
default: break
}
