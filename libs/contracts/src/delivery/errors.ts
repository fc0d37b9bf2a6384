import { errors } from '../operation';

export const releaseErrors = errors('release', {
  notFound: { status: 404, message: '404 Not Found', means: 'The project has no release of that tag.' },
  exists: { status: 409, message: 'Release already exists', means: 'The tag has a release.' },
  tagNotFound: { status: 404, message: '404 Tag Not Found', means: 'There is no such tag to release.' },
  noRef: {
    status: 422,
    message: 'Ref is not specified',
    means: 'The tag does not exist, and `ref` is not given to create it.',
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
  evidenceNotFound: {
    status: 404,
    message: '404 Not found',
    means: 'The release has no such evidence, or an earlier version collected it without its file.',
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

export const packageProtectionErrors = errors('package_protection', {
  notFound: { status: 404, message: '404 Not Found', means: 'The project has no such rule.' },
  taken: {
    status: 422,
    message: 'Package name pattern has already been taken',
    means: 'The project has a rule of that pattern and type.',
  },
  tooMany: {
    status: 422,
    message: 'Maximum number of package protection rules (100) exceeded',
    means: 'A project has up to 100 of them.',
  },
  noLevel: {
    status: 422,
    message: 'A rule requires at least a minimum access role for push or a minimum access role for delete',
    means: 'The rule would protect nothing.',
  },
  pushRefused: {
    status: 403,
    message: '403 Forbidden - Package protected.',
    means: 'A protection rule of the project requires a higher level. See docs/api/packages.md#4.',
  },
  deletionRefused: {
    status: 403,
    message: '403 Forbidden - Package is deletion protected.',
    means:
      'A protection rule of the project requires a higher level to delete the package. See docs/api/packages.md#4.',
  },
});

/** Errors for git-lfs, in the form that it prints. See docs/api/lfs.md#1. */
export const lfsErrors = errors('lfs', {
  switchedOff: {
    status: 403,
    message: 'Git LFS is switched off in this project.',
    means: 'The `lfs_enabled` of the project is false.',
  },
  objectNotFound: {
    status: 404,
    message: 'The project has no such object.',
    means: 'No object of that SHA-256 was sent to the project, whether or not another one has it.',
  },
  wrongContent: {
    status: 422,
    message: 'The bytes are not those of the object: their SHA-256 or their number is another.',
    means: 'The content does not match the URL. Nothing is stored.',
  },
  tooLarge: {
    status: 413,
    message: 'The object is larger than the server takes.',
    means: 'It has more bytes than `MAX_UPLOAD`.',
  },
  projectFull: {
    status: 413,
    message: 'The objects of the project would take more room than it has.',
    means: 'They would have more bytes than `LFS_SIZE_LIMIT`, together with those that are on their way.',
  },
  malformed: {
    status: 422,
    message: 'The request is not one of git-lfs.',
    means: 'A parameter of its body or its address is missing or cannot be; the text names it.',
  },
  unknownHash: {
    status: 409,
    message: 'Objects are named by their SHA-256 here, and by no other hash.',
    means: 'The `hash_algo` of a batch is not `sha256`.',
  },
  lockNotFound: { status: 404, message: 'There is no such lock.', means: 'Nor was there, or it was given back.' },
  lockOfAnother: {
    status: 403,
    message: 'The lock belongs to another user. Maintainers can remove it with --force.',
    means: 'Only its owner gives a lock back.',
  },
  forceRefused: {
    status: 403,
    message: 'Only maintainers can remove a lock of another user.',
    means: '`force` requires a higher level.',
  },
  tooManyLocks: {
    status: 422,
    message: 'The project has too many locks.',
    means: 'A project has up to 10,000 locks.',
  },
});
