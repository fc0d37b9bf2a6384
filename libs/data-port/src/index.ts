export { acceptImage, type Image, imageOf, pictures, streamOf } from './accept-image';
export { ConnectionPools } from './connection-pools';
export { DataPort, type DataPortOptions, type PresignedHandler, refusalHeader } from './data-port';
export { fetchBytes, sendBytes } from './presigned-bytes';
export { ReadingPace } from './reading-pace';
export { keysOf as ticketKeys, mint as mintTicket, read as readTicket } from './signed-token';
export { Upload, type UploadClaims, UploadedFiles, uploadHandler } from './uploaded-files';
