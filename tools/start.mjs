#!/usr/bin/env node
/**
 * `npm start [-- <options>]`, and `npx moothall [<options>]` of the npm package: sets up what is missing, then becomes the
 * server, so that signals and exit code are the server's own.
 *
 *   --ephemeral      in a temporary folder and on free ports; removed at the end
 *   --seed <file>    initial data of such a server (docs/testing-with-moothall.md)
 *   --until-eof      ends when its stdin ends
 *   --services       one process for each service; `npm run start:services`
 *   --replicas <n>   number of processes of each service, 1 to 16
 *   --gateways <n>   number of gateways; default: as many as replicas
 *   --help           shows this
 *   --version        shows the version
 *
 * Settings are environment variables; docs/settings.md lists them.
 */
import './help.mjs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runTool, setUp } from './set-up.mjs';

await runTool(async () => {
  setUp();
  await import(pathToFileURL(createRequire(import.meta.url).resolve('@moothall/standalone')).href);
});
