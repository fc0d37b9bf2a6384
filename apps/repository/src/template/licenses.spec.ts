import { allLicenses, expandLicense, findLicense } from './licenses';

it('contain the common licenses, with their texts', () => {
  const keys = allLicenses.map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['mit', 'apache-2.0', 'gpl-3.0', 'agpl-3.0', 'bsd-3-clause', 'mpl-2.0']));
  expect(allLicenses.filter(({ content }) => content.length < 200)).toEqual([]);
});

it('fills in year, holder and project, and finds a key in any case', () => {
  const { content } = expandLicense(findLicense('MIT')!, { fullname: 'Ada $& Lovelace' }, 2020);
  expect(content).toContain('Copyright (c) 2020 Ada $& Lovelace');
  expect(expandLicense(findLicense('mit')!, {}, 2020).content).toContain('2020 [fullname]');
});

// An empty name left the holder empty.
it('treats an empty name as missing', () => {
  expect(expandLicense(findLicense('mit')!, { fullname: '', project: '' }, 2020).content).toContain('2020 [fullname]');
});
