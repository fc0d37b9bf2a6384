import { invalidRecord } from '@moothall/contracts';
import colorNames from 'color-name';

/** Color of labels that are created by naming them on an issue. */
export const defaultLabelColor = '#428bca';

const hexDigits = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const toHex = (value: number): string => value.toString(16).padStart(2, '0');

/** Converts `#RGB`, `#RRGGBB` and CSS names to one form. @throws common.invalid_record for anything else */
export function parseColor(color: string): string {
  const text = color.trim();
  if (hexDigits.test(text)) return text;
  const name = text.toLowerCase();
  if (!Object.hasOwn(colorNames, name)) throw invalidRecord({ color: ['must be a valid color code'] });
  return `#${colorNames[name as keyof typeof colorNames].map(toHex).join('')}`;
}

/** Dark text on light labels, white text on dark ones. */
export function textColorOn(color: string): string {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return red + green + blue > 500 ? '#333333' : '#FFFFFF';
}
