"""Prints, as JSON, the fields and the enumerations of models of official libraries, read from the installed packages.

Arguments: the names of models, each as `module:Class`. The answer has, for each, the paths of its fields as they are written in JSON (lists have
[0]), and the words of an enumeration or of a literal by the path that has it.
"""

import enum
import importlib
import json
import sys
import types
import typing

from pydantic import BaseModel, RootModel


def parts_of(annotation):
    """Yields the types that an annotation consists of."""
    origin = typing.get_origin(annotation)
    if origin is None:
        yield annotation
        return
    if origin is typing.Annotated:
        yield from parts_of(typing.get_args(annotation)[0])
        return
    if origin is typing.Literal:
        yield annotation
        return
    for argument in typing.get_args(annotation):
        yield from parts_of(argument)


def is_list(annotation):
    origin = typing.get_origin(annotation)
    if origin in (list, set, tuple):
        return True
    if origin in (typing.Union, types.UnionType, typing.Annotated):
        return any(is_list(one) for one in typing.get_args(annotation))
    return False


def read(model, path, fields, words):
    for name, field in model.model_fields.items():
        alias = field.serialization_alias or (field.alias if isinstance(field.alias, str) else None) or name
        here = f"{path}.{alias}" if path else alias
        if is_list(field.annotation):
            here += "[0]"
        inner = [one for one in parts_of(field.annotation) if one is not type(None)]
        models = [
            one
            for one in inner
            if isinstance(one, type) and issubclass(one, BaseModel) and not issubclass(one, RootModel)
        ]
        for one in inner:
            if typing.get_origin(one) is typing.Literal:
                words.setdefault(here, []).extend(str(word) for word in typing.get_args(one))
            elif isinstance(one, type) and issubclass(one, enum.Enum):
                words.setdefault(here, []).extend(str(member.value) for member in one)
        if models and here.count(".") < 6:
            for one in models:
                read(one, here, fields, words)
        else:
            fields.append(here)


answer = {}
for name in sys.argv[1:]:
    module, _, class_name = name.partition(":")
    found = getattr(importlib.import_module(module), class_name)
    fields, words = [], {}
    if issubclass(found, enum.Enum):
        words[""] = [str(member.value) for member in found]
    else:
        read(found, "", fields, words)
    answer[name] = {"fields": sorted(set(fields)), "words": words}
print(json.dumps(answer))
