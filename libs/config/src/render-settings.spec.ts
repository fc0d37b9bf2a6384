import { bytes, directory, int, oneOf, renderSettings, secret } from '.';

describe('renderSettings', () => {
  it('shows meaning, form and default of every setting in order', () => {
    const table = renderSettings({
      PORT: int({ default: 8080, min: 1, about: 'port | of HTTP' }),
      DATA_DIR: directory({ default: './data' }),
      LIMIT: bytes({ default: 8 * 1024 * 1024 }),
      KEY: secret({}),
      MODE: oneOf(['a', 'b'], { optional: true }),
    });
    expect(table.split('\n')).toEqual([
      '| variable | what for | value | default |',
      '| --- | --- | --- | --- |',
      '| `PORT` | port \\| of HTTP | a whole number, at least 1 | `8080` |',
      '| `DATA_DIR` |  | a folder | `./data` |',
      '| `LIMIT` |  | a size such as `4096`, `64KB`, `8MB`, `2GB` | `8MB` |',
      '| `KEY` |  | a secret | required |',
      '| `MODE` |  | one of `a`, `b` |  |',
    ]);
  });
});
