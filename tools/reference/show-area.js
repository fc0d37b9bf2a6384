/* Shows the area in the URL of the page. */

const hidden = 'c clojure csharp dart fsharp go http java js kotlin objc ocaml php powershell r ruby rust swift';

window.Scalar.createApiReference('#reference', {
  url: `${window.location.pathname}.json`,
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
  authentication: {
    preferredSecurityScheme: 'privateToken',
    securitySchemes: { privateToken: { value: 'your-token' } },
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Code is shown for curl, Node and Python.
  hiddenClients: {
    ...Object.fromEntries(hidden.split(' ').map((language) => [language, true])),
    shell: ['wget', 'httpie'],
    node: ['axios', 'ofetch', 'undici'],
    python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'],
  },
});
