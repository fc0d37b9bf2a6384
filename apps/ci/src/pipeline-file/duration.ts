const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };
const month = /^mo/i;
const monthSeconds = 2_592_000;

/** As `1h 30m`, `90 minutes`, `3 mos 2 days`; a bare number is seconds. @returns undefined if it is invalid */
export function secondsIn(value: string | number): number | undefined {
  const text = String(value).trim();
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const parts = [...text.slice(0, 255).matchAll(/(?<!\d)(\d{1,12})\s*([a-z]+)/gi)];
  const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * unitSeconds(unit), 0);
  return parts.length > 0 && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

const unitSeconds = (unit: string): number =>
  month.test(unit) ? monthSeconds : (secondsOf[unit.charAt(0).toLowerCase()] ?? Number.NaN);
