export { DataPort, type DataPortOptions, type PresignedHandler, refusalHeader } from './data-port';
export { acceptImage, type Image, imageOf, pictures, streamOf } from './image/accept-image';
export { pictureTypeOf } from './image/picture-type';
export { fetchBytes, sendBytes } from './presigned-bytes';
export { ReadingPace } from './reading-pace';
export { keysOf as ticketKeys, mint as mintTicket, read as readTicket } from './ticket';
export { Upload, type UploadClaims, UploadedFiles, uploadHandler } from './uploaded-files';
