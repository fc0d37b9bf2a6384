export interface StartOptions {
  /** Path of a seed file, or what would stand in one. */
  seed?: string | object;
  /** Settings of the server, besides the environment of this process. */
  env?: Record<string, string>;
  /** Where Moothall is; that which this file belongs to, unless set. */
  folder?: string;
  /** The first start of a checkout installs and builds it. 300,000 unless set. */
  readyWithinMs?: number;
  /** Told what the server says to people: warnings, and its progress. */
  onLog?: (text: string) => void;
}

export interface Moothall {
  /** Without a slash at its end; the interface is below `/api/v4`. */
  url: string;
  /** Of the administrator `username`. */
  token: string;
  username: string;
  password: string;
  sshPort: number;
  registryUrl: string | null;
  /** Ids by username and full path, and tokens of runners. */
  seed: {
    users: Record<string, number>;
    groups: Record<string, number>;
    projects: Record<string, number>;
    runners: { id: number; description: string; token: string }[];
  };
  /**
   * Everything is again as it was when the server was ready, for the next test.
   * @throws Error when something that is under way does not end within seconds; nothing is set back then
   */
  reset(): Promise<void>;
  /** Ends it; nothing of it is left. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server of your own on free ports, which goes with this process.
 * @throws Error with what the server said, when it does not start
 */
export function startMoothall(options?: StartOptions): Promise<Moothall>;
