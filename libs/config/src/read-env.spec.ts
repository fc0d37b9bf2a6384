import path from 'node:path';
import { bool, bytes, directory, int, list, oneOf, readEnv, SettingsError, seconds, secret, string, url } from '.';
import type { Setting } from './setting';

const read = <T>(setting: Setting<T>, text?: string): T => readEnv({ IT: setting }, { IT: text }).IT as T;

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  throw new Error('nothing was found wrong');
}

describe('readEnv', () => {
  it('names every wrong variable in one error', () => {
    const settings = {
      PORT: int({ default: 8080, min: 1, max: 65535 }),
      MONGODB_URI: url({}),
      LOUD: bool({ default: false }),
    };
    const run = () => readEnv(settings, { PORT: '70000', LOUD: 'perhaps' });
    expect(problemsOf(run)).toEqual([
      'PORT: it must be a whole number from 1 to 65535, not "70000"',
      'MONGODB_URI: it is not set and must be a URL',
      'LOUD: it must be true or false, not "perhaps"',
    ]);
    expect(run).toThrow(/^Settings are wrong:\n {2}PORT: .*\n {2}MONGODB_URI: .*\n {2}LOUD: /);
  });

  it('uses defaults for unset and empty variables, and undefined for optional ones', () => {
    const settings = { PORT: int({ default: 8080 }), NAME: string({ optional: true }) };
    const values: { PORT: number; NAME: string | undefined } = readEnv(settings, { PORT: ' ' });
    expect(values).toEqual({ PORT: 8080, NAME: undefined });
  });

  it('trims blanks around a value', () => {
    expect(read(int({ default: 1 }), ' 42 ')).toBe(42);
  });

  it('never repeats a secret or a URL, which may carry a password', () => {
    const settings = { KEY: secret({ minLength: 20 }), NATS_URL: url({ protocols: ['nats'] }) };
    const problems = problemsOf(() => readEnv(settings, { KEY: 'hunter2', NATS_URL: 'http://u:hunter2@host' }));
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('settings', () => {
  it.each([
    [int({ min: -5 }), '-5', -5],
    [bool({}), 'Yes', true],
    [bool({ default: true }), 'off', false],
    [url({}), 'mongodb://a:1,b:2/db?replicaSet=rs', 'mongodb://a:1,b:2/db?replicaSet=rs'],
    [oneOf(['a', 'b'], {}), 'b', 'b'],
    [list({ of: ['api', 'worker'] }), 'api, worker,', ['api', 'worker']],
    [seconds({}), '90', 90],
    [seconds({}), '2h', 7200],
    [bytes({}), '8MB', 8 * 1024 * 1024],
    [bytes({}), '64kb', 65536],
    [directory({}), 'a/..', process.cwd()],
    [string({ pattern: /^[a-z]+$/, form: 'small letters' }), 'abc', 'abc'],
  ])('reads %#: %j', (setting, text, value) => {
    expect(read(setting as Setting<unknown>, text)).toEqual(value);
  });

  it.each([
    [int({}), '1.5', 'a whole number'],
    [int({}), '0x10', 'a whole number'],
    [int({ min: 1 }), '0', 'at least 1'],
    [url({ protocols: ['http', 'https'] }), 'ftp://host', 'http:// or https://'],
    [url({}), 'localhost', 'a URL'],
    [oneOf(['a', 'b'], {}), 'c', 'one of a, b, not "c"'],
    [list({ of: ['api', 'worker'] }), 'api,cook', 'out of api, worker, not "cook"'],
    [seconds({}), '5 minutes', 'a time such as'],
    [seconds({ max: 60 }), '2m', 'at most 60 seconds'],
    [bytes({}), '1XB', 'a size such as'],
    [directory({ mustExist: true }), '/nowhere/at/all', 'there is no folder /nowhere/at/all'],
    [string({ pattern: /^[a-z]+$/, form: 'small letters' }), 'ABC', 'small letters'],
  ])('refuses %#: %j', (setting, text, words) => {
    expect(problemsOf(() => read(setting as Setting<unknown>, text)).join()).toContain(words);
  });

  it('resolves the default of a folder like any other value', () => {
    expect(read(directory({ default: './data' }))).toBe(path.resolve('data'));
  });
});
