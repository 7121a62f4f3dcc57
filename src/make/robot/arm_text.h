// The arm that make_robot() makes: six joints, a gripper whose second finger mimics the first.
#pragma once

namespace tocsin::make {

inline constexpr const char* kArmUrdf = R"(<?xml version="1.0"?>
<!-- An arm with six joints and a gripper, made by tocsin make-robot. Z is up; metres and radians. -->
<robot name="arm">
  <link name="base">
    <collision>
      <origin xyz="0 0 0.06"/>
      <geometry><cylinder radius="0.09" length="0.12"/></geometry>
    </collision>
  </link>

  <joint name="shoulder_pan" type="revolute">
    <parent link="base"/>
    <child link="shoulder"/>
    <origin xyz="0 0 0.12"/>
    <axis xyz="0 0 1"/>
    <limit lower="-2.9" upper="2.9" effort="150" velocity="2"/>
  </joint>
  <link name="shoulder">
    <collision>
      <origin xyz="0 0 0.08"/>
      <geometry><cylinder radius="0.075" length="0.14"/></geometry>
    </collision>
    <collision>
      <origin xyz="0 0 0.16" rpy="1.5707963267948966 0 0"/>
      <geometry><cylinder radius="0.06" length="0.18"/></geometry>
    </collision>
  </link>

  <joint name="shoulder_lift" type="revolute">
    <parent link="shoulder"/>
    <child link="upper_arm"/>
    <origin xyz="0 0 0.16"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.9" upper="1.9" effort="150" velocity="2"/>
  </joint>
  <link name="upper_arm">
    <collision>
      <geometry><mesh filename="upper_arm.obj" scale="0.001 0.001 0.001"/></geometry>
    </collision>
  </link>

  <joint name="elbow" type="revolute">
    <parent link="upper_arm"/>
    <child link="forearm"/>
    <origin xyz="0 0 0.42"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" effort="100" velocity="2"/>
  </joint>
  <link name="forearm">
    <collision>
      <origin xyz="0 0 0.1"/>
      <geometry><cylinder radius="0.045" length="0.2"/></geometry>
    </collision>
  </link>

  <joint name="wrist_roll" type="revolute">
    <parent link="forearm"/>
    <child link="wrist"/>
    <origin xyz="0 0 0.2"/>
    <axis xyz="0 0 1"/>
    <limit lower="-2.9" upper="2.9" effort="30" velocity="3"/>
  </joint>
  <link name="wrist">
    <collision>
      <origin xyz="0 0 0.1"/>
      <geometry><cylinder radius="0.04" length="0.2"/></geometry>
    </collision>
  </link>

  <joint name="wrist_pitch" type="revolute">
    <parent link="wrist"/>
    <child link="hand"/>
    <origin xyz="0 0 0.2"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="30" velocity="3"/>
  </joint>
  <link name="hand">
    <collision>
      <geometry><sphere radius="0.05"/></geometry>
    </collision>
  </link>

  <joint name="tool_roll" type="continuous">
    <parent link="hand"/>
    <child link="flange"/>
    <origin xyz="0 0 0.08"/>
    <axis xyz="0 0 1"/>
    <limit effort="30" velocity="3"/>
  </joint>
  <link name="flange">
    <collision>
      <origin xyz="0 0 0.03"/>
      <geometry><cylinder radius="0.035" length="0.06"/></geometry>
    </collision>
  </link>

  <joint name="mount" type="fixed">
    <parent link="flange"/>
    <child link="gripper"/>
    <origin xyz="0 0 0.06"/>
  </joint>
  <link name="gripper">
    <collision>
      <origin xyz="0 0 0.035"/>
      <geometry><box size="0.06 0.12 0.07"/></geometry>
    </collision>
  </link>

  <joint name="finger_left" type="prismatic">
    <parent link="gripper"/>
    <child link="left_finger"/>
    <origin xyz="0 0.01 0.07"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
  </joint>
  <link name="left_finger">
    <collision>
      <origin xyz="0 0 0.03"/>
      <geometry><box size="0.02 0.012 0.06"/></geometry>
    </collision>
  </link>

  <joint name="finger_right" type="prismatic">
    <parent link="gripper"/>
    <child link="right_finger"/>
    <origin xyz="0 -0.01 0.07"/>
    <axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
    <mimic joint="finger_left"/>
  </joint>
  <link name="right_finger">
    <collision>
      <origin xyz="0 0 0.03"/>
      <geometry><box size="0.02 0.012 0.06"/></geometry>
    </collision>
  </link>
</robot>
)";

inline constexpr const char* kArmSrdf = R"(<?xml version="1.0"?>
<robot name="arm">
  <disable_collisions link1="base" link2="upper_arm" reason="Never"/>
  <disable_collisions link1="flange" link2="left_finger" reason="Never"/>
  <disable_collisions link1="flange" link2="right_finger" reason="Never"/>
</robot>
)";

}  // namespace tocsin::make
