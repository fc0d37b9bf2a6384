export { DataPort, type DataPortOptions, type PresignedHandler, refusalHeader } from './data-port';
export { eventLoopLookMs, MetricsPort, type Page } from './metrics-port';
export { ReadingPace } from './reading-pace';
export { Upload, type UploadClaims, UploadedFiles, uploadHandler } from './uploaded-files';
