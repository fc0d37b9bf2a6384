/** The page of the reference; what it does stands in scripts, which its policy takes from this server alone. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moothall API reference</title>
</head>
<body>
<noscript>The reference needs scripts. The same as data: <a href="/api/v4/openapi.json">OpenAPI</a></noscript>
<div id="reference"></div>
<script src="/-/reference/scalar.js"></script>
<script src="/-/reference/start.js"></script>
</body>
</html>
`;

/** Nothing is fetched from, or told to, anybody else; the one inline thing is the style that the script brings. */
export const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const configuration = {
  url: '/api/v4/openapi.json',
  theme: 'default',
  layout: 'modern',
  hideModels: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Code is shown for curl, Node and Python.
  hiddenClients: {
    ...Object.fromEntries(
      'c clojure csharp dart fsharp go http java js kotlin objc ocaml php powershell r ruby rust swift'
        .split(' ')
        .map((language) => [language, true]),
    ),
    shell: ['wget', 'httpie'],
    node: ['axios', 'ofetch', 'undici'],
    python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'],
  },
};

export const start = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
