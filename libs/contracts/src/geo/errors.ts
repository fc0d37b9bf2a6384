import { errors } from '../operation';

export const geoErrors = errors('geo', {
  nodeNotFound: { status: 404, message: '404 GeoNode Not Found', means: 'No such replication node.' },
  statusNotFound: {
    status: 404,
    message: '404 Geo node status Not Found',
    means: 'The replication node has not said yet how it is.',
  },
  cursorExpired: {
    status: 410,
    message: '410 Gone - List all projects, and begin again',
    means: 'The events after this cursor were deleted, or the cursor is of another site.',
  },
  fileMissing: {
    status: 404,
    message: '404 File Not Found',
    means: 'The file was deleted, or has a record without bytes.',
  },
  fileDiffers: {
    status: 422,
    message: '422 Unprocessable Entity - The bytes are not those of the file',
    means: 'The size or SHA-256 of the copy differs from that of the primary, or the key is of another kind.',
  },
  ownFile: {
    status: 409,
    message: '409 Conflict - The site has a file of its own there',
    means: 'A copy in the place of a file that is none, or in a storage that another site uses.',
  },
  notOfPrimary: {
    status: 400,
    message: '400 Bad request - Failures can only be requested from a secondary',
    means: 'The site that is asked copies nothing: it is the one that the others copy.',
  },
});
