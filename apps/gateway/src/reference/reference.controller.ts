import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commonErrors } from '@moothall/contracts';
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { absolutePath } from 'swagger-ui-dist';
import { type GatewaySettings, gatewaySettingsToken } from '../settings';
import { openApiDocument } from './openapi';

/** A map and no object: the name comes from the address, and every object has a `constructor`. */
const assets = new Map([
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
]);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Moothall API reference</title>
<link rel="stylesheet" href="/-/reference/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/-/reference/swagger-ui-bundle.js"></script>
<script src="/-/reference/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({ url: '/api/v4/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true });
`;

/** The API reference: as OpenAPI for programs, and as a page that can try calls. */
@Controller()
export class ReferenceController {
  private readonly document: string;

  constructor(@Inject(gatewaySettingsToken) settings: GatewaySettings) {
    this.document = JSON.stringify(openApiDocument(settings.EXTERNAL_URL, '4'));
  }

  @Get('/api/v4/openapi.json')
  @Header('content-type', 'application/json')
  openApi(): string {
    return this.document;
  }

  @Get('/-/reference')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:")
  page(): string {
    return page;
  }

  @Get('/-/reference/start.js')
  @Header('content-type', 'text/javascript')
  start(): string {
    return start;
  }

  @Get('/-/reference/:asset')
  async asset(@Param('asset') asset: string, @Res() reply: FastifyReply): Promise<void> {
    const type = assets.get(asset);
    if (!type) throw commonErrors.noRoute();
    reply.type(type).send(await readFile(path.join(absolutePath(), asset)));
  }
}
