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
    means: 'The events after this cursor are no longer kept, or it is none that this site gave.',
  },
  notOfPrimary: {
    status: 400,
    message: '400 Bad request - Failures can only be requested from a secondary',
    means: 'The site that is asked copies nothing: it is the one that the others copy.',
  },
});
