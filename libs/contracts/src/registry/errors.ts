import { errors } from '../operation';

export const registryErrors = errors('container_registry', {
  notSetUp: {
    status: 503,
    message: '503 Service Unavailable - No container registry is set up',
    means: 'The server has no registry for images, see REGISTRY_URL.',
  },
  unreachable: {
    status: 503,
    message: '503 Service Unavailable - The container registry cannot be reached',
    means: 'The registry does not answer, or not as one.',
  },
  repositoryNotFound: {
    status: 404,
    message: '404 Not found',
    means: 'No such repository of images in the project, or none the caller may see.',
  },
  tagNotFound: { status: 404, message: '404 Tag Not Found', means: 'The repository has no such tag.' },
  deletedLately: {
    status: 400,
    message:
      'This request has already been made. You can run this at most once an hour for a given container repository',
    means: 'Tags of the repository were deleted in bulk less than an hour ago.',
  },
});
