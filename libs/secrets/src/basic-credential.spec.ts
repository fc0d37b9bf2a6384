import { readBasic } from './basic-credential';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Authorization: Basic', () => {
  it.each([
    [basic('ada:secret'), 'ada', 'secret'],
    [basic('ada:with:colons:ä'), 'ada', 'with:colons:ä'],
    [basic(':token'), '', 'token'],
    [basic('ada:'), 'ada', ''],
    ['basic   eDp5 ', 'x', 'y'],
  ])('%s', (header, username, password) => expect(readBasic(header)).toEqual({ username, password }));

  it.each(['', 'Basic', 'Basic ', 'Basic ???', 'Bearer eDp5', 'x Basic eDp5', 'Basic eDp5 eDp5', basic('no-colon')])(
    'is not %j',
    (header) => expect(readBasic(header)).toBeUndefined(),
  );
});
