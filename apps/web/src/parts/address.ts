/** The path of a `web_url`, so that a link works under every name of the server. */
export const pathOf = (webUrl: string): string => new URL(webUrl).pathname;

/** The path of an image that this server has; images elsewhere are not loaded. */
export function ownImage(url: string | null, webUrl: string): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const { origin, pathname, search } = new URL(url);
  return origin === new URL(webUrl).origin ? pathname + search : undefined;
}
