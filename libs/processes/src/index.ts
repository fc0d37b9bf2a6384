export { identifyProcess } from './identify-process';
export { endLeftover, readPidFile, writePidFile } from './pid-file';
export { removeTemporaryFolder, sweepTemporaryFolders, temporaryFolder } from './temporary-folder';
