export { beginWork, describeWork, endWork, whileAtWork } from './at-work';
export { findProgram } from './find-program';
export { identifyProcess } from './identify-process';
export { installLastResort } from './last-resort';
export { Orderer, type Orders, takeOrders } from './orders';
export { OwnFolder } from './own-folder';
export { endLeftover, readPidFile, writePidFile } from './pid-file';
export { answerSignsOfLife, expectSignsOfLife } from './sign-of-life';
export { removeTemporaryFolder, sweepTemporaryFolders, temporaryFolder } from './temporary-folder';
