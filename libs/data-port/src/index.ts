export { DataPort, type DataPortOptions, refusalHeader, type TicketHandler } from './data-port';
export { Upload, type UploadClaims, UploadedFiles, uploadHandler } from './uploaded-files';
