import { z } from 'zod';
import { bytes, internal, operation, raw } from '../operation';

/** A page for a browser, at any address without a route of its own: paths of groups have any number of segments. */
export const showPage = operation({
  name: 'web.pages.show',
  access: internal(),
  isRead: true,
  input: z.object({
    path: z.string().describe('Path and query, as requested'),
    refused: z.int().optional().describe('Status of the refusal, if another route refused the request'),
    limit_bytes: z.int().optional().describe('Of a form, if it was refused because of its size'),
  }),
  output: raw(),
});

/** A form of a page, sent to the address of its page. */
export const takeForm = operation({
  name: 'web.forms.take',
  access: internal(),
  input: z.object({
    path: z.string().describe('Path and query, as requested'),
    fields: z.record(z.string(), z.unknown()),
    files: z
      .record(z.string(), z.object({ ticket: z.string(), sha256: z.string() }))
      .default({})
      .describe('Chosen files by field, with the digests of their bytes'),
  }),
  output: raw(),
  // Longer than any operation that forms call.
  timeoutSeconds: 160,
});

/** The bytes of a file at an address of a browser, such as `/<full path>/-/raw/<ref>/<path>`. */
export const openFile = operation({
  name: 'web.files.open',
  access: internal(),
  isRead: true,
  input: z.object({ path: z.string().describe('Path and query, as requested') }),
  output: bytes(),
});
