import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';

const tool = path.resolve(__dirname, '../../../tools/bundle-names.mjs');

/** The tool is a module, which Jest does not load. */
function removeNeedlessNames(text: string): string {
  const script = `
    import { text } from 'node:stream/consumers';
    const { removeNeedlessNames } = await import(${JSON.stringify(tool)});
    process.stdout.write(removeNeedlessNames(await text(process.stdin)));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { input: text, encoding: 'utf8' });
}

/** As in tools/bundle.mjs. */
async function bundle(contents: string, lineLimit: number): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents },
    bundle: true,
    format: 'iife',
    globalName: 'result',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    minifyWhitespace: true,
    lineLimit,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const run = (text: string): unknown => runInNewContext(`${text}; JSON.stringify(result.default)`);

// Each form in which a function can get a name, and some where a call of `__name` cannot go.
const forms = `
  function declared() { function inner() {} return inner.name; }
  async function* streaming() {}
  const arrow = () => {};
  const single = value => value;
  const asynchronous = async () => {};
  const waiting = async value => value;
  const async = async => async;
  const named = function ownName() {};
  const anonymous = function () {};
  const generator = function* () {};
  let assigned; assigned = () => {};
  const { byDefault = () => {} } = {};
  const withDefault = (callback = () => {}) => callback.name;
  const object = { property: () => {}, 'with-dash': () => {}, method() {}, __proto__: () => {}, async later() {} };
  class Shown { field = () => {}; static fixed = () => {}; #hidden = () => {}; hidden() { return this.#hidden.name; } }
  const Expression = class {};
  const called = (function called() { return called.name; })();
  const read = (function read() {}).name;
  const bound = function bound() {}.bind(null);
  const pattern = "x".replace(/[(]\`/, () => ")");
  const text = \`\${[1].map(function each() { return each.name; })}(\`;
  const nested = (() => { const arrow = () => {}; function declared() {} return [arrow.name, declared.name, single.name]; })();
  function make() { return function made() {}; }
  function makeLater() { return async function* madeLater() {}; }
  function choose(a) { return a ? function one() {} : function other() {}; }
  const shadowed = (single) => { const arrow = () => single; return [arrow.name, shadowed.name]; };
  export default [declared(), streaming.name, arrow.name, single.name, asynchronous.name, waiting.name, async.name,
    named.name, anonymous.name, generator.name, assigned.name, byDefault.name, withDefault(), pattern, text,
    Object.entries(object).map(([key, { name }]) => [key, name]), Object.getPrototypeOf(object).name, Shown.name,
    new Shown().field.name, Shown.fixed.name, new Shown().hidden(), Expression.name, called, read, bound.name, nested,
    shadowed(), make().name, makeLater().name, choose(true).name, choose(false).name];
`;

// Line breaks fall elsewhere with each limit.
it.each([160, 40, 20, 10, 7, 5, 3, 1])(
  'leaves each function its name, in lines of %d characters',
  async (lineLimit) => {
    const text = await bundle(forms, lineLimit);
    const changed = removeNeedlessNames(text);
    expect(run(changed)).toBe(run(text));
    expect(changed.length).toBe(text.length);
    const calls = (of: string) => of.split('__name(').length - 1;
    expect(calls(text)).toBeGreaterThan(2 * calls(changed));
  },
);

it('leaves functions that esbuild renamed their calls', async () => {
  const text = await bundle(
    `
    function one() {}
    const other = (() => { function one() {} return one; })();
    export default [one.name, other.name];`,
    160,
  );
  expect(text).toContain('one2');
  expect(run(removeNeedlessNames(text))).toBe('["one","one"]');
});
