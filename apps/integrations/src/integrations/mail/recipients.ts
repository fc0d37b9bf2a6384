/** Limit of recipients. */
export const mostRecipients = 750;

/** An address without a display name; the mail server validates the rest. */
const address = /^[^\s@<>",;:\\]{1,64}@[^\s@<>",;:\\]{1,255}$/;

/** Addresses in a text, separated by blanks or commas, each once. */
export const recipientsIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((word) => address.test(word))),
];

/** Whether an address may be the sender of mails: its domain must be that of the server, or a parent domain. */
export function isOwnAddress(email: string, host: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const own = host.toLowerCase();
  return address.test(email) && (domain === own || (domain.includes('.') && own.endsWith(`.${domain}`)));
}
