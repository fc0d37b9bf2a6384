import { holds } from './expression';
import { PipelineFileError } from './job-spec';

const variables = { BRANCH: 'main', EMPTY: '', TAG: 'v1.2.3', PATTERN: '/^v\\d/', QUOTE: "it's" };

describe('evaluate', () => {
  it.each([
    ['$BRANCH == "main"', true],
    ["$BRANCH == 'main'", true],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form with braces of the language under test
    ['${BRANCH} != "main"', false],
    ['$BRANCH', true],
    ['$EMPTY', false],
    ['$MISSING', false],
    ['$MISSING == null', true],
    ['$EMPTY == null', false],
    ['$EMPTY == ""', true],
    ['$TAG =~ /^v\\d+\\.\\d+/', true],
    ['$TAG =~ /^V/', false],
    ['$TAG =~ /^V/i', true],
    ['$TAG !~ /beta/', true],
    ['$TAG =~ $PATTERN', true],
    ['$MISSING =~ /x/', false],
    ['$BRANCH == "main" && $EMPTY', false],
    ['$EMPTY || $BRANCH', true],
    ['$BRANCH == "x" || $TAG && $BRANCH == "main"', true],
    ['($BRANCH == "x" || $TAG) && $EMPTY', false],
    ['$QUOTE == "it\'s"', true],
    [' $BRANCH=="main" ', true],
    ['$BRANCH =~ /a\\/b|main/', true],
    // Properties of every object are no variables.
    ['$constructor', false],
    ['$toString == null', true],
  ])('%s is %s', (expression, expected) => {
    expect(holds(expression, variables)).toBe(expected);
  });

  it.each(['', '==', '$A ==', '$A = "b"', '"open', '($A', '$A)', '$A $B', '$A && ', '$A =~ /(/', '('.repeat(200)])(
    'refuses %s',
    (expression) => {
      expect(() => holds(expression, variables)).toThrow(PipelineFileError);
    },
  );
});
