import { parseUploadAddress } from './upload-address';

const secret = '0123456789abcdef0123456789abcdef';

it.each([
  ['GET', `/ada/engine/uploads/${secret}/a.txt`, { project: 'ada/engine', file: `${secret}/a.txt` }],
  ['HEAD', `/a/b/c/uploads/${secret}/%C3%BC.txt?x=1`, { project: 'a/b/c', file: `${secret}/%C3%BC.txt` }],
  ['GET', `/ada/uploads/uploads/${secret}/a`, { project: 'ada/uploads', file: `${secret}/a` }],
  ['POST', `/ada/engine/uploads/${secret}/a.txt`, undefined],
  ['GET', '/ada/engine/uploads/short/a.txt', undefined],
  ['GET', `/ada/engine/uploads/${secret}/a/b`, undefined],
  ['GET', `/%/uploads/${secret}/a`, undefined],
  ['GET', `/uploads/${secret}/a`, undefined],
])('%s %s', (method, url, address) => {
  expect(parseUploadAddress(method, url)).toEqual(address);
});
