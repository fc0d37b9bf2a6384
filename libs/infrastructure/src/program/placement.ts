import path from 'node:path';

/** Where the programs of one stack keep what. All folders must exist. */
export interface Placement {
  /** What must survive: one folder for each program. */
  dataFolder: string;
  logFolder: string;
  /** Pid files, configuration and sockets, created at each start. */
  runFolder: string;
  /** If false, what they acknowledge survives the end of their processes, but not a crash of the machine. Default true. */
  fsync?: boolean;
  /** Gives a start up. */
  signal?: AbortSignal;
}

/** @returns the folder and files of one program, in the form startProgram takes them */
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
