import { errors } from '../operation';

export const vulnerabilityErrors = errors('vulnerability', {
  notFound: {
    status: 404,
    message: '404 Vulnerability Not Found',
    means: 'No such vulnerability, or in no project that the caller may see.',
  },
  tooManyOnDashboard: {
    status: 400,
    message: '400 Bad request - The security dashboard has as many projects as it can have',
    means: 'A security dashboard has 1,000 projects at most.',
  },
});

export const securityReportErrors = errors('security_report', {
  refused: {
    status: 400,
    message: '400 Bad request - The report cannot be read',
    means: 'The report has an unknown format, is damaged or too large; the message has the reason.',
  },
  notFound: { status: 404, message: '404 Security Report Not Found', means: 'No such report, or it is long done.' },
});
