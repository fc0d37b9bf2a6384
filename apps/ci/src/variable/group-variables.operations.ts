import {
  createGroupVariable,
  deleteGroupVariable,
  getGroupVariable,
  listGroupVariables,
  type ScopedVariable,
  updateGroupVariable,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { VariableOperations, VariableTools } from './variable-operations';

@HandlesEach({
  list: listGroupVariables,
  get: getGroupVariable,
  create: createGroupVariable,
  update: updateGroupVariable,
  delete: deleteGroupVariable,
})
@Controller()
export class GroupVariableOperations extends VariableOperations<ScopedVariable> {
  constructor(tools: VariableTools) {
    super(tools);
  }
}
