import { placeAttachment } from './attachment';

describe('placeAttachment', () => {
  // Characters of other scripts became underscores.
  it.each([
    ['größe – 漢字.png', 'größe___漢字.png'],
    ['отчёт.pdf', 'отчёт.pdf'],
    ['e\u0301te\u0301.txt', 'été.txt'],
    ['हिन्दी.txt', 'हिन्दी.txt'],
    ['C:\\temp\\a+b.txt', 'a+b.txt'],
    ['../../.git', '_.git'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['..', 'file'],
  ])('replaces unsafe characters in %s', (given, kept) => {
    expect(placeAttachment(given).fileName).toBe(kept);
  });

  it('cuts long names between characters, and keeps the extension', () => {
    const { fileName } = placeAttachment(`${'漢'.repeat(300)}.png`);
    expect(fileName).toMatch(/^漢+\.png$/);
    expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(200);
  });
});
