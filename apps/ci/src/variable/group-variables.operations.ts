import {
  createGroupVariable,
  deleteGroupVariable,
  getGroupVariable,
  type KeptVariable,
  listGroupVariables,
  updateGroupVariable,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { KeptVariableOperations, KeptVariableTools } from './kept-variable-operations';

@HandlesEach({
  list: listGroupVariables,
  get: getGroupVariable,
  create: createGroupVariable,
  update: updateGroupVariable,
  delete: deleteGroupVariable,
})
@Controller()
export class GroupVariableOperations extends KeptVariableOperations<KeptVariable> {
  constructor(tools: KeptVariableTools) {
    super(tools);
  }
}
