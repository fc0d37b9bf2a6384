import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import { graphqlLimits } from './limits';

const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Reads a document whose brackets nest no deeper than a stack has room for, of the parser and of whatever walks
 * what it makes.
 * @throws GraphQLError
 */
export function readDocument(text: string): DocumentNode {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (opening.has(token.kind)) depth += 1;
    if (closing.has(token.kind)) depth -= 1;
    if (depth > graphqlLimits.brackets) {
      throw new GraphQLError(`Query nests more than ${graphqlLimits.brackets} brackets, which is the most`);
    }
  }
  return parse(source);
}
