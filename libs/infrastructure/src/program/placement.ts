import path from 'node:path';

/** The folders of the programs of one stack. All folders must exist. */
export interface Placement {
  /** Durable data: one folder for each program. */
  dataFolder: string;
  logFolder: string;
  /** Pid files, configuration and sockets, created at each start. */
  runFolder: string;
  /** If false, acknowledged writes survive the end of their processes, but not a crash of the machine. Default true. */
  fsync?: boolean;
  /** Aborts a start. */
  signal?: AbortSignal;
}

/** @returns the folder and files of one program, in the form of startProgram */
export function placeFiles({ dataFolder, logFolder, runFolder, signal, fsync = true }: Placement, name: string) {
  return {
    folder: path.join(dataFolder, name),
    configFile: path.join(runFolder, `${name}.conf`),
    logFile: path.join(logFolder, `${name}.log`),
    pidFile: path.join(runFolder, `${name}.pid`),
    signal,
    fsync,
  };
}
