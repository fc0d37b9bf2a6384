/** The path of a `web_url`, so that a link works under every name of the server. */
export function pathOf(webUrl: string): string {
  const { pathname, search, hash } = new URL(webUrl);
  return pathname + search + hash;
}

/** The path of an image that this server has; images elsewhere are not loaded. */
export function ownImage(url: string | null, webUrl: string): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  return new URL(url).origin === new URL(webUrl).origin ? pathOf(url) : undefined;
}
