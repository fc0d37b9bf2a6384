/** More are not written to. */
export const mostRecipients = 750;

/** An address without a name; what the mail server makes of it is its matter. */
const address = /^[^\s@<>",;:\\]{1,64}@[^\s@<>",;:\\]{1,255}$/;

/** Addresses in a text, separated by blanks or commas, each once. */
export const recipientsIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((word) => address.test(word))),
];

/** Whether mails of an address may come from this server: its domain is that of the server, or one above it. */
export function isOwnAddress(email: string, host: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const own = host.toLowerCase();
  return address.test(email) && (domain === own || (domain.includes('.') && own.endsWith(`.${domain}`)));
}
