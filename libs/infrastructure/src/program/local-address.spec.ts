import { localAddress } from './local-address';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['::', 'http://[::1]:8080'],
  ['forge.example.com', 'http://forge.example.com:8080'],
])('a server on %s is reached at %s', (host, address) => {
  expect(localAddress(host, 8080)).toBe(address);
  expect(new URL(address).port).toBe('8080');
});
