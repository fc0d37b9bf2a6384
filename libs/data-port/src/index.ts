export { DataPort, type DataPortOptions, refusalHeader, type TicketHandler } from './data-port';
export { OwnFolder } from './own-folder';
export { Upload, type UploadClaims, UploadedFiles, uploadHandler } from './uploaded-files';
