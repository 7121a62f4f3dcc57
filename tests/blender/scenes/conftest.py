"""Every test begins with an empty scene."""

import bpy
import build
import pytest


@pytest.fixture(autouse=True)
def scene():
    return build.fresh()


@pytest.fixture
def refused():
    """refused(*objects, **settings): the text with which a check is refused; nothing is changed."""

    def ask(*objects, **settings):
        frame = bpy.context.scene.frame_current_final
        before = (len(bpy.data.objects), len(bpy.context.scene.timeline_markers))
        with pytest.raises(RuntimeError) as caught:
            build.check(*objects, **settings)
        assert before == (len(bpy.data.objects), len(bpy.context.scene.timeline_markers))
        assert bpy.context.scene.frame_current_final == frame
        assert bpy.context.scene.tocsin.summary == ""
        return str(caught.value)

    return ask
