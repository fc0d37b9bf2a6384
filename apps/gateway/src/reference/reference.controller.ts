import { loadOnce } from '@moothall/background';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { openApiDocument } from './openapi';
import { page, policy, start } from './page';
import { ReferenceBundle } from './reference-bundle';

/** The API reference: as OpenAPI for programs, and as a page that can try calls. */
@Controller()
export class ReferenceController {
  private readonly bundle = new ReferenceBundle();
  /** Made when it is first asked for. */
  private readonly document = loadOnce(async () =>
    JSON.stringify(await openApiDocument(this.settings.EXTERNAL_URL, '4')),
  );

  constructor(@Inject(gatewaySettingsToken) private readonly settings: GatewaySettings) {}

  @Get('/api/v4/openapi.json')
  @Header('content-type', 'application/json')
  openApi(): Promise<string> {
    return this.document();
  }

  @Get('/-/reference')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', policy)
  page(): string {
    return page;
  }

  @Get('/-/reference/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return start;
  }

  /** As gzip to all: every browser takes it. */
  @Get('/-/reference/scalar.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('content-encoding', 'gzip')
  @Header('cache-control', 'public, max-age=3600')
  script(): Promise<Buffer> {
    return this.bundle.read();
  }
}
