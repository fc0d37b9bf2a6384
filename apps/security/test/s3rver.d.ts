declare module 's3rver' {
  import type { AddressInfo } from 'node:net';

  /** A server that speaks S3, over a folder. As far as the tests use it; it comes without types. */
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
