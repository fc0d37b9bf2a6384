import { isLocalAddress } from './local-address';
import { permits } from './policy';

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  'fd00::1',
  'fe80::1%eth0',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::10.0.0.1',
  '::2',
  '::ffff:0:127.0.0.1',
  '3fff::1',
  '5f00::1',
  '64:ff9b:1::a00:1',
  '100::1',
  '4000::1',
  'no address',
])('%s is local', (address) => {
  expect(isLocalAddress(address)).toBe(true);
});

it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is not', (address) => {
  expect(isLocalAddress(address)).toBe(false);
});

const closed = (...allowed: string[]) => ({ allowsLocal: false, allowed });

it.each([
  ['git.internal', true],
  ['git.internal:8080', true],
  ['git.internal:9090', false],
  ['10.0.0.0/8', true],
  ['10.0.0.0/8:8080', true],
  ['10.9.0.0/16', false],
  ['10.0.0.5', true],
  ['other.internal', false],
  ['10.0.0.0/99', false],
  ['', false],
])('an entry %j lets git.internal at 10.0.0.5:8080 in: %s', (entry, expected) => {
  expect(permits(closed(entry), 'git.internal', '10.0.0.5', 8080)).toBe(expected);
});

it('lets everything in where local requests are allowed, and the internet in any case', () => {
  expect(permits({ allowsLocal: true, allowed: [] }, 'x', '127.0.0.1', 80)).toBe(true);
  expect(permits(closed(), 'x', '8.8.8.8', 80)).toBe(true);
  expect(permits(closed('[::1]:80'), '::1', '::1', 80)).toBe(true);
});
