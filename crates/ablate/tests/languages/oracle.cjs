// Says, for one connection after another, whether a file is in a language and still has what it
// should: `LANGUAGE PATH`, one line, is answered with 0 or 1. Prints the port that it listens on.
const fs = require('fs');
const net = require('net');
const { createRequire } = require('module');

const [kept, folder] = [JSON.parse(process.argv[2]), process.argv[3]];
const tool = createRequire(folder + '/package.json');

function check(isRight) {
  if (!isRight) throw new Error('a syntax error');
}

function typescript(file) {
  const ts = tool('typescript');
  return (text) => {
    const reportDiagnostics = true;
    const compilerOptions = { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext };
    const made = ts.transpileModule(text, { reportDiagnostics, compilerOptions, fileName: file });
    check(made.diagnostics.length === 0);
  };
}

function ocaml(kind) {
  const { refmt } = tool('refmt/refmt');
  return (text) => check(refmt(text, 'ML', kind, 'RE')[0] === 'MLtoRE');
}

const PARSERS = {
  javascript: () => (text) => tool('acorn').parse(text, { ecmaVersion: 2024, sourceType: 'module' }),
  typescript: () => typescript('a.ts'),
  tsx: () => typescript('a.tsx'),
  java: () => tool('java-parser').parse,
  php: () => {
    const parser = new (tool('php-parser'))({ parser: { suppressErrors: false } });
    return (text) => parser.parseCode(text, 'a.php');
  },
  lua: () => (text) => tool('luaparse').parse(text, { luaVersion: '5.2' }),
  css: () => (text) => tool('css-tree').parse(text, { onParseError: () => check(false) }),
  html: () => (text) => tool('parse5').parse(text, { onParseError: () => check(false) }),
  yaml: () => (text) => {
    const document = tool('yaml').parseDocument(text);
    check(document.errors.length === 0 && document.contents !== null);
  },
  markdown: () => {
    const { Parser, HtmlRenderer } = tool('commonmark');
    return (text) => check(/<li>.*<\/li>/s.test(new HtmlRenderer().render(new Parser().parse(text))));
  },
  ruby: () => (text) => check(ruby(text).errors.length === 0),
  solidity: () => tool('@solidity-parser/parser').parse,
  graphql: () => tool('graphql').parse,
  ocaml: () => ocaml('implementation'),
  'ocaml-interface': () => ocaml('interface'),
  proto: () => tool('protobufjs').parse,
  scala: () => (text) => check(!('error' in tool('scalameta-parsers').parseSource(text))),
  glsl: () => (text) => check(glslang.compileGLSL(text, 'fragment', false).length > 0),
  wgsl: () => (text) => new Wgsl().parse(text),
};
const made = {};
// Those that are there only after a while.
let ruby, glslang, Wgsl;

function verdict(language, path) {
  try {
    const text = fs.readFileSync(path, 'utf8');
    if (!kept[language].every((pattern) => new RegExp(pattern, 's').test(text))) return 1;
    made[language] ??= PARSERS[language]();
    made[language](text);
    return 0;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

const server = net.createServer((connection) => {
  connection.once('data', (line) => {
    const [language, path] = line.toString().trim().split(' ');
    connection.end(`${verdict(language, path)}\n`);
  });
  connection.on('error', () => {});
});
async function start() {
  ruby = await tool('@ruby/prism').loadPrism();
  Wgsl = (await import(`${folder}/node_modules/wgsl_reflect/wgsl_reflect.module.js`)).WgslParser;
  // What this gives has a `then` itself, so it can't be awaited; and it prints each error.
  console.log = console.warn = console.error = () => {};
  tool('@webgpu/glslang')().then((loaded) => {
    glslang = loaded;
    const port = () => process.stdout.write(`${server.address().port}\n`);
    server.listen(0, '127.0.0.1', port);
  });
}
start();
