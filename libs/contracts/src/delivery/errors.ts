import { errors } from '../operation';

export const releaseErrors = errors('release', {
  notFound: { status: 404, message: '404 Not Found', means: 'The project has no release of that tag.' },
  exists: { status: 409, message: 'Release already exists', means: 'The tag has a release.' },
  tagNotFound: { status: 404, message: '404 Tag Not Found', means: 'There is no such tag to release.' },
  noRef: {
    status: 422,
    message: 'Ref is not specified',
    means: 'There is no such tag, and `ref` does not say of what it is to be made.',
  },
  milestonesNotFound: {
    status: 400,
    message: 'Milestone(s) not found',
    means: 'Neither the project nor a group above it has a milestone of that title; the text names it.',
  },
  linkNotFound: { status: 404, message: '404 Not found', means: 'The release has no such link.' },
  tooManyLinks: {
    status: 400,
    message: '400 Bad request - too many links',
    means: 'A release has up to 200 links.',
  },
  tooManyEvidences: {
    status: 400,
    message: '400 Bad request - too much evidence',
    means: 'Evidence of a release is collected up to 100 times.',
  },
});

export const packageErrors = errors('package', {
  notFound: { status: 404, message: '404 Package Not Found', means: 'The project has no such package.' },
  fileNotFound: { status: 404, message: '404 Not found', means: 'The package has no such file.' },
  tooManyFiles: {
    status: 400,
    message: '400 Bad request - too many files',
    means: 'A package has up to 10,000 files.',
  },
});
