import { X509Certificate } from 'node:crypto';
import { readBer } from './cms';
import { payload, x509 } from './signatures.fixtures';
import { judgeX509Signature, readX509Signature } from './x509-signature';

const roots = [new X509Certificate(x509.root)];
const { root: _, ...signatures } = x509;
const ada = (email: string): boolean => email === 'ada@example.com';
const judge = (text: string, over: { payload?: Buffer; roots?: X509Certificate[]; isTheirs?: typeof ada } = {}) =>
  judgeX509Signature(readX509Signature(text)!, over.payload ?? payload, over.roots ?? roots, over.isTheirs ?? ada);

describe.each(Object.entries(signatures))('a signature %s', (_kind, text) => {
  it("is verified if its certificate has a trusted root and the address is the committer's", () => {
    expect(judge(text)).toMatchObject({
      verification_status: 'verified',
      x509_certificate: {
        ...{ email: 'ada@example.com', subject: 'CN=Ada,O=World', serial_number: '1311768467294899695' },
        subject_key_identifier: expect.stringMatching(/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/),
        x509_issuer: { subject: 'CN=PKI,OU=Example,O=World', crl_url: 'http://example.com/pki.crl' },
      },
    });
  });

  it.each([
    ['of another text', { payload: Buffer.from('x') }],
    ['without a trusted root', { roots: [] }],
    ['of another address', { isTheirs: () => false }],
  ])('is unverified %s', (_what, over) => expect(judge(text, over).verification_status).toBe('unverified'));

  it('is never verified, and never throws, with a changed byte', () => {
    const lines = text.split('\n');
    const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 0xa5;
      const read = readX509Signature([lines[0], changed.toString('base64'), lines.at(-1)].join('\n'))!;
      // Bytes outside of the signed part may differ; text and signer are the same then.
      const { verification_status, x509_certificate } = judgeX509Signature(read, payload, roots, ada);
      if (verification_status === 'verified') expect(x509_certificate).toMatchObject({ email: 'ada@example.com' });
    }
  });
});

it('is not one of OpenPGP', () => expect(readX509Signature('-----BEGIN PGP SIGNATURE-----')).toBeUndefined());
it('is unverified, without a certificate, if it cannot be read', () =>
  expect(judge('-----BEGIN SIGNED MESSAGE-----\nAAAA\n-----END SIGNED MESSAGE-----')).toMatchObject({
    ...{ verification_status: 'unverified', x509_certificate: null },
  }));

describe('values of ASN.1', () => {
  it.each([
    ['too deep', Buffer.alloc(200, Buffer.from([0x30, 0x80]))],
    ['too many', Buffer.concat([Buffer.from([0x30, 0x83, 1, 0, 0]), Buffer.alloc(65536, Buffer.from([5, 0]))])],
    ['longer than they are', Buffer.from([0x30, 0x84, 255, 255, 255, 255])],
    ['without an end', Buffer.from([0x30, 0x80, 5, 0])],
    ['open and simple', Buffer.from([0x04, 0x80, 0, 0])],
    ['of long tags', Buffer.from([0x1f, 0x81, 1, 0])],
    ['nothing', Buffer.alloc(0)],
  ])('are refused if they are %s', (_what, bytes) => expect(() => readBer(bytes)).toThrow());
});
