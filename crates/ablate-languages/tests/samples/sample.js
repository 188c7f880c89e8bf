'use strict';
import fs, { readFile as read } from 'fs';
/** A shape. */
export default class Shape extends Base {
  #sides = 4;
  static async make({ sides = 3, ...rest }, [first]) {
    return new Shape(`has ${sides} sides`, ...first);
  }
  get area() { return this.#sides?.length ?? 0; }
}
const twice = async (x) => { return await x * 2; };
let [a, b] = [1, 0x10], pattern = /a+[b/]/g;
for (const key in { a, 'b': 2, ['c']: b }) {
  if (key === 'a' && a < b) { continue; } else switch (key) { case 'b': break; default: a += 1; }
}
try { twice(a).then(function (y) { console.log(y, typeof y); }); } catch (e) { throw e; } finally { a--; }
label: while (a) { do { a--; break label; } while (true); }
