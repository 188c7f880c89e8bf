import type { Reader } from './reader';
interface Shape<T extends object = {}> extends Base { readonly area: number; name?: string; draw(at: T): void }
enum Kind { Round = 1, Square }
type Pair<A> = [A, A] | { first: A } & Partial<Shape>;
abstract class Circle<T> implements Shape<object> {
  private readonly radius: number = 1;
  constructor(public name: string, protected at?: T) { super(); }
  get area(): number { return this.radius! ** 2; }
  abstract draw(at: object): void;
}
function first<T>(pair: Pair<T>, kind: Kind = Kind.Round): T | undefined {
  const found = pair as unknown as T[];
  return found[0] satisfies T;
}
declare module 'shapes' { export const all: Shape[]; }
namespace Inner { export let one: Array<keyof Shape> = []; }
export { first, Circle };
class Overloaded {
  f(a: number): void;
  f(a: number, b: number): void;
}
