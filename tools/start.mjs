#!/usr/bin/env node
/**
 * `npm start [-- <options>]`, and `npx moothall [<options>]` of the npm package: sets up what is missing, then becomes the
 * server, so that signals and exit code are the server's own.
 *
 *   --ephemeral      in a temporary folder and on free ports; nothing is left of it afterwards
 *   --seed <file>    what such a server begins with (docs/testing-with-moothall.md)
 *   --until-eof      ends when its stdin ends
 *   --services       each service is a process of its own; `npm run start:services`
 *   --replicas <n>   number of processes of each service, 1 to 16
 *   --gateways <n>   number of gateways, as many as replicas unless set
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
